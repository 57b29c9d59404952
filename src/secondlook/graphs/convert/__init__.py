"""Graphs in other people's forms: matrices, networkx, and text formats; one module per form."""

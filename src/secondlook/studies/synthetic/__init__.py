"""The paper's experiments on synthetic data: Table 1 and Figure 1."""

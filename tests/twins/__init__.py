"""Slow twins of the search, written from the specification alone, one alpha at a time, one step per line.

They share nothing with the engines: no arrays of masks, no memo, no C++. A test that compares an engine with
its twin can therefore fail for one of two reasons only: one of them does not do what the specification says.
"""

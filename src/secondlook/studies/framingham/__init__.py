"""The paper's experiment on the Framingham data, which everyone must bring along: Table 2."""

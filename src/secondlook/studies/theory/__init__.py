"""The paper's theorems and its claim about cost, tried out by simulation."""

"""The standard networks: every rule and every metric on data whose truth others chose."""

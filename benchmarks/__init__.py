"""Speed and memory against ourselves and others: `python -m benchmarks` prints one table.

Nothing here is shipped or tested. Times mean little by themselves, on a shared machine least of all;
what counts are ratios of times taken in turns in one run. All runs on one thread unless said otherwise.
"""

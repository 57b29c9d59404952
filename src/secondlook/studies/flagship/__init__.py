"""The flagship beside AutoPC on every kind of data: accuracy, validity, freedom from column order, time."""

"""Short documents of many kinds, with fields and true values; half of them are held out from tuning."""

"""Short documents of many kinds, with fields and truths, half of them held out from tuning."""

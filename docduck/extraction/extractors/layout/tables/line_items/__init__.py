"""Line items: tables whose columns have known meanings, such as quantity and amount.

Begin at ``header_detection``; ``row_grouping`` groups printed lines into rows, ``headerless`` reads receipts.
"""

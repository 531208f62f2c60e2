"""Court documents: the caption with its court, case number, parties and judges. Begin at ``caption``."""

"""Schemas of resources, one module each: what people set of a webhook, a review stage, a folder …"""

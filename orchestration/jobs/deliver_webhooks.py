"""The job that sends deliveries to webhooks, where no API does."""

from dagster_docduck.deliveries import delivery_job

deliver_webhooks = delivery_job("deliver_webhooks")

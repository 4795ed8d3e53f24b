"""The names of the fault points in the sources. Tests kill a process at each of them."""

PUBLICATION_POINTS = [f"publication.{step}" for step in ["making", "made", "claimed", "begun", "activating", "live"]]
WITHDRAWAL_POINTS = ["withdrawal.claimed", "withdrawal.ending", "withdrawal.ended"]
RELEASE_STEPS = [
    "making", "claimed", "judging", "judged", "freezing", "frozen", "begun", "activating", "activated", "live",
]
RELEASE_POINTS = [f"release.{step}" for step in RELEASE_STEPS]
REPLACEMENT_POINTS = [f"replacement.{step}" for step in ["claimed", "judged", "writing", "written"]]
SCHEDULE_POINTS = [
    "schedule.claimed", "schedule.looking", "schedule.looked", "run.claimed", "run.settled", "run.ending",
]
EVENT_POINTS = ["events.placing", "events.placed"]
BUCKET_POINTS = [f"bucket.{step}" for step in ["claimed", "compared", "writing", "written"]]
LISTING_POINT = "bucket.listed"
FEED_POINTS = ["feed.read", "feed.signed"]
FOLLOWER_POINTS = ["follower.fetched", "follower.kept"]

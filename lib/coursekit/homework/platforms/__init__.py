"""The round trip with a learning platform, by files alone: what it hands out, what it takes in."""

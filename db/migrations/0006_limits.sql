-- Turns taken of the limits that several instances share. A crash of the database empties it, which costs nobody more
-- than a full bucket, so it is not written to the log.

-- Now in microseconds since 1970. It runs on inside a transaction: a call that waited for its bucket was not earlier.
CREATE FUNCTION micros() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN (extract(epoch FROM leadgate.moment() + (clock_timestamp() - now())) * 1000000)::bigint;

CREATE UNLOGGED TABLE limit_turn (
  bucket text COLLATE "C" PRIMARY KEY,
  -- when, in microseconds, the bucket is full again
  until bigint NOT NULL,
  -- whether the latest call got its turn
  taken boolean NOT NULL
) WITH (fillfactor = 50);

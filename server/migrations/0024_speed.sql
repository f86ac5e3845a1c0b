-- The same tallies in a quarter of the time: PostgreSQL compiles the expressions of VALUES again for each row, but those of a
-- function's arguments once.
create or replace function cells_of(swap swaps) returns table (basis text, day date, origin text, measure text, quarters integer)
  language sql immutable parallel safe
  begin atomic
    select b.basis, (b.at at time zone 'UTC')::date, (swap).origin, m.measure, m.quarters
    from
      unnest(
        array[(swap).status, 'to_response', 'to_complete'],
        array[0, quarters_between((swap).created_at, (swap).responded_at), quarters_between((swap).created_at, (swap).completed_at)]
      ) m(measure, quarters),
      unnest(
        array['created', 'accepted', 'completed'],
        array[(swap).created_at, (swap).accepted_at, (swap).completed_at]
      ) b(basis, at)
    where b.at is not null and m.quarters is not null;
  end;

-- A trigram index knows the letters of words and not which word follows which: two frequent words that rarely stand together
-- made a search look at every product that has both. A joint is where two words meet: the last three letters of one and the
-- first three of the next, in turn, those nearest to the space first, a space for each that a word is too short for. That of
-- "wooden bike" is "nbeidk". These are the joints of a text.
create function word_joints(said text) returns tsvector language plpgsql immutable parallel safe strict as $$
declare
  words  text[] := string_to_array(lower(said), ' ');
  joints text[] := '{}';
begin
  for place in 2 .. cardinality(words) loop
    joints := joints || translate('cxbyaz', 'abcxyz', right('   ' || words[place - 1], 3) || left(words[place] || '   ', 3));
  end loop;
  return array_to_tsvector(joints);
end $$;

-- The beginnings of joints that every text has which contains this one. Its first word may be the end of a longer one and its last
-- the beginning of one, so of a short one the letters beyond are not known. A beginning of less than three letters would
-- choose too little. Null: there is none.
create function joints_within(sought text) returns tsquery language plpgsql immutable parallel safe strict as $$
declare
  words  text[] := string_to_array(lower(sought), ' ');
  joints text[] := '{}';
  joint  text;
  known  integer;
begin
  for place in 2 .. cardinality(words) loop
    known := least(
      case when place = 2 and length(words[1]) < 3 then 2 * length(words[1]) end,
      case when place = cardinality(words) and length(words[place]) < 3 then 2 * length(words[place]) + 1 end,
      6);
    continue when known < 3;
    joint := translate('cxbyaz', 'abcxyz', right('   ' || words[place - 1], 3) || left(words[place] || '   ', 3));
    joint := '''' || replace(replace(left(joint, known), '\', '\\'), '''', '''''') || '''';
    joints := joints || case when known < 6 then joint || ':*' else joint end;
  end loop;
  return nullif(array_to_string(joints, ' & '), '')::tsquery;
end $$;

create index products_joints on products using gin (word_joints(' ' || title || ' ' || description));

-- The same cells in a quarter of the time: PostgreSQL compiles the expressions of VALUES anew for each row, those of a function's
-- arguments once.
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

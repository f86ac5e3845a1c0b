-- contract: locks writes for as long as an index takes: 40 s of CPU for a million products. It may be built beforehand, with `concurrently`,
-- once the functions are there.
-- The joints of migration 0024 begin with letters of both words in turn, so of a search whose outer word has one or two letters too few
-- of them were known (ADR 044). Here each joint is written from both sides, and either way so that what such a search knows of it comes
-- first: "wooden bike" has '>nbiked' (n, bik, ed) and '<bnedik' (b, ned, ik). A space stands for a letter that a word is too short for.
create or replace function joints_of(said text) returns tsvector language plpgsql immutable parallel safe strict as $$
declare
  words  text[] := string_to_array(lower(said), ' ');
  joints text[] := '{}';
  before text;
  after  text;
begin
  for place in 2 .. cardinality(words) loop
    before := reverse(right('   ' || words[place - 1], 3));
    after := left(words[place] || '   ', 3);
    joints := joints || array['>' || left(before, 1) || after || substr(before, 2), '<' || left(after, 1) || before || substr(after, 2)];
  end loop;
  return array_to_tsvector(joints);
end $$;

-- What the joints of every text begin with that contains this one; null: it has no space. The first word may be the end of a longer one
-- and the last the beginning of one, so of a short one the letters beyond are not known.
create or replace function joints_sought(sought text) returns tsquery language plpgsql immutable parallel safe strict as $$
declare
  words      text[] := string_to_array(lower(sought), ' ');
  n          integer := cardinality(words);
  beginnings text[] := '{}';
  before     text;
  after      text;
begin
  for place in 2 .. n loop
    before := reverse(case when place = 2 then right(words[1], 3) else right('   ' || words[place - 1], 3) end);
    after := case when place = n then left(words[n], 3) else left(words[place] || '   ', 3) end;
    continue when before = '' or after = '';
    if length(after) = 3 or length(before) < 3 then
      beginnings := beginnings || ('>' || left(before, 1) || after || case when length(after) = 3 then substr(before, 2) else '' end);
    end if;
    if length(after) < 3 then
      beginnings := beginnings || ('<' || left(after, 1) || before || case when length(before) = 3 then substr(after, 2) else '' end);
    end if;
  end loop;
  return nullif(array_to_string(
    array(select '''' || replace(replace(b, '\', '\\'), '''', '''''') || ''':*' from unnest(beginnings) b), ' & '), '')::tsquery;
end $$;

-- The index of migration 0024 serves the version before; a later one drops it.
create index if not exists products_by_joints on products using gin (joints_of(' ' || title || ' ' || description));
-- Searches that many products hold are told by the planner's knowledge of frequent joints.
alter index products_by_joints alter column 1 set statistics 300;

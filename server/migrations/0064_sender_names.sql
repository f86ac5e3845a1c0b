-- Whether pushes say whom a match or a message comes from. A constant default rewrites nothing.
alter table push_preferences add column sender_names boolean not null default true;

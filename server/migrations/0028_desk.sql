-- Which moderator holds which product at a desk, and until when: nobody else can decide about it meanwhile.
create table desk_leases (
  desk       text not null check (desk in ('verification', 'reports')),
  product_id bigint not null references products on delete cascade,
  holder_id  bigint not null references users on delete cascade,
  until      timestamptz not null,
  primary key (desk, product_id)
);
create index desk_leases_product on desk_leases (product_id);
create index desk_leases_holder on desk_leases (holder_id);
create index desk_leases_until on desk_leases (until);

-- The order of the report that puts those first which nobody looks into yet, then those that somebody does.
create index reported_products_by_open on reported_products (open_count, undecided_count, last_reported_at, product_id);

-- Push providers in the plural (ADR 036). Every default is Expo, whose rows these were, so processes of the version before go on
-- as long as Expo is the only provider. They write every row of provider_state at once: the version that adds a second
-- provider must not run beside them. No table is rewritten.
alter table provider_state drop column only_row;
alter table provider_state add column provider text not null default 'expo';
alter table provider_state alter column provider drop default;
alter table provider_state add primary key (provider);

-- No foreign keys to provider_state: each would lock the row that the breaker and the pace write. The names come from the
-- registry in the code.
alter table mobile_devices add column provider text not null default 'expo';
alter table submissions add column provider text not null default 'expo';
-- Whose pushes a claimed batch holds. Before its first claim a batch belongs to none, whatever is written here.
alter table batches add column provider text not null default 'expo';
-- The providers that an open alert is about; none: it is about no provider.
alter table alerts add column providers text[] not null default '{}';

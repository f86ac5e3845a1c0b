import { overrides } from './request-limits.ts'
import { providersFile } from './providers-file.ts'
import { choice, integer, list, number, text } from './readers.ts'

/** The words of ACCEPTED_RISKS: each lets the service start although something is unsafe. */
export const RISKS = ['open-outside-production', 'database-unverified', 'database-plain', 'provider-elsewhere'] as const

export const PROVIDER_SETTINGS = {
  EXPO_BASE_URL: text('Address of the provider.', 'https://exp.host'),
  EXPO_ACCESS_TOKEN: text('Bearer token of Expo’s enhanced push security.', ''),
  PUSH_PROVIDERS_FILE: providersFile('The JSON file of the providers beside it, with their keys; absent: none.'),
}

/** `.env.example` lists them. Nothing else is read from the environment, but the limits. */
export const VARIABLES = {
  NODE_ENV: choice('The environment; production refuses unsafe settings.', ['development', 'production', 'test']),
  PROCESS: choice('What this process does: the API, the worker, or both.', ['all', 'web', 'worker']),
  PORT: integer('Port of the API.', 3000, 0, 65_535),
  HOST: text('Address the API listens on.', '127.0.0.1'),
  ACCEPTED_RISKS: list(`What is accepted though it is refused otherwise: ${RISKS.join(', ')}.`, []),
  ALLOWED_HOSTS: list(
    'Host names that the API answers to; absent: every one, or loopback names on loopback outside production.',
    [],
  ),
  DATABASE_URL: text('PostgreSQL 15 or later; absent: an embedded one in DATA_DIR.', ''),
  DATA_DIR: text('Folder of the embedded PostgreSQL.', './data'),
  JWT_SECRET: text('Signs access tokens, at least 32 bytes.', ''),
  JWT_PREVIOUS_SECRET: text('Secrets before rotations, still accepted; several are separated by a vertical bar.', ''),
  AUDIT_SECRET: text('Signs the audit log, at least 32 bytes; absent: JWT_SECRET does.', ''),
  AUDIT_PREVIOUS_SECRET: text('AUDIT_SECRET before a rotation; entries under it are still checked.', ''),
  SECOND_FACTOR: choice('Whether roles with the panel must have a second factor.', ['optional', 'required']),
  SECOND_FACTOR_SECRET: text('Encrypts the secrets of second factors, at least 32 bytes; absent: JWT_SECRET does.', ''),
  SECOND_FACTOR_PREVIOUS_SECRET: text(
    'SECOND_FACTOR_SECRET before a rotation; it still decrypts what it encrypted.',
    '',
  ),
  PANEL_ORIGIN: text(
    'The origin of the panel, such as https://panel.example.com; passkeys belong to it. Absent: no passkeys in production.',
    '',
  ),
  APPROVALS: list('What a second administrator must approve: sends, bulk-changes, roles; absent: nothing.', []),
  ADMIN_EMAIL: text('Address of the first super administrator.', ''),
  ADMIN_PASSWORD: text('Password of the first super administrator, 12 characters or more.', ''),
  PUSH_PROVIDER: choice('The push provider: the simulator, or Expo.', ['simulator', 'expo']),
  ...PROVIDER_SETTINGS,
  SUBSCRIPTION_WEBHOOK_SECRET: list(
    'Secrets that sign events of subscriptions, at least 32 bytes each; several during a rotation. Absent: events get 404.',
    [],
  ),
  MAIL_URL: text(
    'The mail server, smtps://user:password@host:port or smtp://…; absent: no mails, and calls that need one answer 503.',
    '',
  ),
  MAIL_FROM: text('The sender of mails, such as Swapbell <no-reply@example.com>.', ''),
  MAIL_LINK_BASE: text('Where links in mails lead: the https address of the panel, or of pages that open the app.', ''),
  FIREBASE_DATABASE_URL: text('The Firebase Realtime Database to which badges are written; absent: none.', ''),
  FIREBASE_SERVICE_ACCOUNT: text('The service account that writes there: its JSON, or the path of its file.', ''),
  LINK_SCHEMES: list('Schemes that a deep link may have.', ['swapbell', 'https']),
  RATE_LIMITS: choice('Request limits; off is for load tests.', ['on', 'off']),
  TRUSTED_PROXIES: list('Networks (CIDR) of proxies whose X-Forwarded-For is believed.', []),
  CORS_ORIGINS: list('Origins of web pages that may call the API.', []),
  DEMO_DATA: choice('Demonstration data in an empty database.', ['off', 'on']),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('The OpenTelemetry collector to which traces are sent; absent: no tracing.', ''),
  OTEL_EXPORTER_OTLP_HEADERS: text('Headers for the collector, name=value, separated by commas.', ''),
  OTEL_SERVICE_NAME: text('The name of the service in traces.', 'swapbell'),
  METRICS_PORT: integer('Port of the metrics and health checks, which is never the API’s; 0: none.', 0, 0, 65_535),
  METRICS_HOST: text('Address that the metrics and health checks listen on.', '127.0.0.1'),
  LIMITS_FILE: text('The JSON file of the limits that are not the defaults; absent: none.', ''),
  LOG_LEVEL: choice('How much is logged.', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
}

/** The keys of the file that LIMITS_FILE names, which `docs/operations.md` lists. */
export const FILE_LIMITS = {
  CONNECTIONS_MAX: integer('Connections of clients that a process holds at a time.', 5_000, 10, 100_000),
  LAME_DUCK_SECONDS: number(
    'Seconds in which a process that was told to end is unready and still accepts connections.',
    5,
    0,
    300,
  ),
  PROXY_KEEP_ALIVE_SECONDS: number(
    'Seconds that proxies keep an idle connection, at most 60; 0: there is no proxy.',
    5,
    0,
    60,
  ),
  DATABASE_POOL: integer('Connections that a process may open.', 16, 2, 200),
  SESSION_UNUSED_DAYS: integer(
    'Days after its last use that a session ends; the phones that it registered are silent then.',
    90,
    1,
    400,
  ),
  SESSION_LONGEST_DAYS: integer('Days after which a session ends, however much it is used.', 400, 1, 3_650),
  APPROVAL_RECIPIENTS: integer(
    'Sends to more users than this must be approved, where sends must.',
    1_000,
    0,
    1_000_000_000,
  ),
  APPROVAL_HOURS: integer('Hours after which a request for approval expires.', 24, 1, 168),
  PUSH_RATE_PER_SECOND: integer(
    'Notifications a second to each provider without a rate of its own, all processes together; 0: no pace.',
    500,
    0,
    1_000_000,
  ),
  PUSH_CONCURRENCY: integer('Requests in flight to each provider, for each worker process.', 6, 1, 256),
  PUSH_TIMEOUT_SECONDS: number('Time limit of a request to the provider, in seconds.', 10, 0.05, 20),
  PUSH_RETRY_LIMIT: integer('Retries of a push after its first attempt.', 3, 0, 20),
  PUSH_RETRY_DELAY_SECONDS: number('Seconds before a retry.', 60, 0, 3600),
  PUSH_LEASE_SECONDS: number('Seconds after which a request without an outcome counts as unknown.', 60, 0.1, 150),
  RECEIPT_DELAY_SECONDS: number('Seconds between a ticket and the first request for its receipt.', 900, 0, 43_200),
  MESSAGE_TTL_SECONDS: integer('Seconds after which a message that was not submitted expires.', 86_400, 1, 2_419_200),
  RETENTION_DAYS: integer(
    'Notifications and what belongs to them are deleted this many days after their messages, by months; counts stay.',
    90,
    31,
    36_500,
  ),
  RETENTION_MESSAGE_DAYS: integer(
    'Transactional messages and their counts are deleted this many days after their notifications; campaigns stay.',
    365,
    1,
    36_500,
  ),
  RETENTION_ACTIVITY_DAYS: integer(
    'Days on which a user was active are deleted after this many days; their counts stay.',
    760,
    60,
    36_500,
  ),
  RETENTION_SIGN_IN_DAYS: integer(
    'Details of sign-ins and denied calls are deleted from the audit log after this many days.',
    365,
    7,
    36_500,
  ),
  RETENTION_AUDIT_DAYS: integer(
    'Details of other entries are deleted from the audit log after this many days; the entries stay.',
    3_650,
    30,
    36_500,
  ),
  STREAM_SECONDS: number('Seconds after which a stream of the app ends; the app opens another.', 3_600, 0.05, 86_400),
  RATE_LIMIT_OVERRIDES: overrides('Request limits that replace the defaults, by name: calls and seconds.'),
  OTEL_TRACES_SAMPLER_ARG: number(
    'The share of requests that are traced, where their caller has not decided it.',
    1,
    0,
    1,
  ),
  LOOP_LATE_SECONDS: integer('A worker with a loop that is this many seconds late is not live.', 120, 1, 86_400),
  WATCHDOG_SECONDS: integer('A process whose event loop is blocked for this many seconds ends itself.', 30, 1, 86_400),
}

export const SETTINGS = { ...VARIABLES, ...FILE_LIMITS }

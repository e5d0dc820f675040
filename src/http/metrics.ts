import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The bounds of the histogram, in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Gauges that are read on demand. */
export interface Gauges {
  waiting: () => number;
  /** The connections to a database, where there are any. */
  connections?: (() => { open: number; idle: number; waiting: number }) | undefined;
  version: string;
}

/** Workspaces that have counters of their own; calls of all later ones are counted together, under no name. */
const WORKSPACES = 100;

/** Counts calls, and writes them in the text form of Prometheus. No token is ever a label. */
export class Metrics {
  readonly #calls = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #durations = new Map<string, { buckets: number[]; sum: number; count: number }>();
  readonly #workspaces = new Map<string, Map<string, number>>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #gauges: Gauges;

  constructor(gauges: Gauges) {
    this.#gauges = gauges;
    this.#delay.enable();
  }

  /** @param ms how long it took, in milliseconds */
  count(face: string, workspace: string, operation: string, code: string, ms: number, reason?: string): void {
    const labels = `face="${face}",operation="${operation}",code="${code}"`;
    this.#calls.set(labels, (this.#calls.get(labels) ?? 0) + 1);
    if (reason !== undefined) this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
    const name = this.#workspaces.has(workspace) || this.#workspaces.size < WORKSPACES ? workspace : '';
    const codes = this.#workspaces.get(name) ?? new Map<string, number>();
    this.#workspaces.set(name, codes.set(code, (codes.get(code) ?? 0) + 1));
    const kept = this.#durations.get(operation) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
    const seconds = ms / 1000;
    kept.buckets = kept.buckets.map((many, index) => many + Number(seconds <= (BOUNDS[index] as number)));
    kept.sum += seconds;
    kept.count++;
    this.#durations.set(operation, kept);
  }

  /**
   * All metrics in the text format of Prometheus.
   * @param isSeen whether the asker may know of a workspace
   */
  text(isSeen: (workspace: string) => boolean): string {
    const calls = [...this.#calls].map(([labels, many]) => `precedent_requests_total{${labels}} ${many}`);
    const unavailable = [...this.#calls]
      .filter(([labels]) => labels.includes('code="unavailable"'))
      .reduce((sum, [, many]) => sum + many, 0);
    const connections = this.#gauges.connections?.();
    return [
      ...family('precedent_requests_total', 'counter', 'Calls of operations', calls),
      ...family(
        'precedent_workspace_requests_total',
        'counter',
        'Calls by workspace; the calls of all further workspaces have no name',
        this.#byWorkspace(isSeen),
      ),
      ...family(
        'precedent_failures_total',
        'counter',
        'Failed calls by reason',
        [...this.#failures].map(([reason, many]) => `precedent_failures_total{reason="${reason}"} ${many}`),
      ),
      ...family('precedent_request_seconds', 'histogram', 'How long calls took', this.#histogram()),
      ...gauge('precedent_waiting', 'Calls that wait for their turn', this.#gauges.waiting()),
      ...(connections
        ? [
            ...gauge('precedent_connections', 'Connections to the database', connections.open),
            ...gauge('precedent_connections_idle', 'Of these, the ones in no transaction', connections.idle),
            ...gauge(
              'precedent_connections_waiting',
              'Transactions that wait for a connection',
              connections.waiting,
            ),
          ]
        : []),
      ...family('precedent_store_unavailable_total', 'counter', 'Calls that found a memory unavailable', [
        `precedent_store_unavailable_total ${unavailable}`,
      ]),
      ...gauge('precedent_event_loop_delay_seconds', 'The 99th percentile', this.#delay.percentile(99) / 1e9),
      ...gauge('precedent_resident_bytes', 'Resident memory', process.memoryUsage.rss()),
      ...family('precedent_build_info', 'gauge', 'The version', [
        `precedent_build_info{version="${this.#gauges.version}"} 1`,
      ]),
      '',
    ].join('\n');
  }

  close(): void {
    this.#delay.disable();
  }

  #byWorkspace(isSeen: (workspace: string) => boolean): string[] {
    return [...this.#workspaces]
      .filter(([workspace]) => workspace === '' || isSeen(workspace))
      .flatMap(([workspace, codes]) =>
        [...codes].map(
          ([code, many]) =>
            `precedent_workspace_requests_total{workspace="${workspace}",code="${code}"} ${many}`,
        ),
      );
  }

  #histogram(): string[] {
    return [...this.#durations].flatMap(([operation, { buckets, sum, count }]) => [
      ...buckets.map(
        (many, index) =>
          `precedent_request_seconds_bucket{operation="${operation}",le="${BOUNDS[index]}"} ${many}`,
      ),
      `precedent_request_seconds_bucket{operation="${operation}",le="+Inf"} ${count}`,
      `precedent_request_seconds_sum{operation="${operation}"} ${sum}`,
      `precedent_request_seconds_count{operation="${operation}"} ${count}`,
    ]);
  }
}

function family(name: string, type: string, help: string, samples: string[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

function gauge(name: string, help: string, value: number): string[] {
  return family(name, 'gauge', help, [`${name} ${value}`]);
}

/** How to reach one API server. Held in memory only: never logged, never in workflow history. */
export interface ConnectionSettings {
  /** `https://host:port` with an optional path; `http://` only for loopback tests. */
  readonly server: string;
  /** PEM text; absent means the system's roots. */
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
  /** `http://` or `https://` proxy that is asked to CONNECT. */
  readonly proxyUrl?: string | undefined;
  /** Called before each request; must be cheap when the credential is cached. */
  readonly credential: () => Promise<Credential>;
  /**
   * Called once after a 401, with the credential that was refused; the request is then repeated once with a fresh one.
   */
  readonly renewCredential?: ((refused?: Credential) => Promise<void>) | undefined;
  /** Called with the credential of every answer but a 401; must be cheap. */
  readonly credentialAccepted?: ((credential: Credential) => void) | undefined;
  readonly limits?: Partial<ConnectionLimits> | undefined;
}

export interface Credential {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** Per-cluster limits; defaults of the design: 16 in flight, 100/s, burst 200, connect 5 s, headers 15 s. */
export interface ConnectionLimits {
  readonly inFlight: number;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Failures to connect in a row that open the circuit. */
  readonly circuitFailures: number;
  readonly circuitOpenMs: number;
}

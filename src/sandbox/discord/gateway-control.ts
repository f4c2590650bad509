/** Ways in which a gateway misbehaves without closing anything. Each is off until set. */
export interface GatewayMisbehaviour {
  /** RESUME is never answered, while heartbeats are. */
  readonly ignoreResume: boolean;
  /** IDENTIFY is never answered. */
  readonly ignoreIdentify: boolean;
  /** Heartbeats are not acknowledged: a zombie connection. */
  readonly ignoreHeartbeats: boolean;
  /** Events are not delivered; those of live sessions wait for a RESUME. */
  readonly holdEvents: boolean;
  /** READY comes this much later. */
  readonly readyDelayMs: number;
  /** So many IDENTIFYs are answered with op 9 (not resumable) before one is accepted. */
  readonly refuseIdentifies: number;
}

/** Ground truth and levers of the gateway. */
export interface GatewayControl {
  /** Open connections that have identified or resumed. */
  readonly connections: () => number;
  readonly identifyCount: () => number;
  readonly resumeCount: () => number;
  /** Intents of each accepted IDENTIFY, oldest first. */
  readonly intents: () => readonly number[];
  /** Closes every connection with this code; without one, by a reset of the socket. */
  readonly drop: (code?: number) => void;
  /** Op 7: asks every client to come back. */
  readonly askReconnect: () => void;
  /** Op 9; sessions are forgotten unless resumable. */
  readonly invalidate: (resumable: boolean) => void;
  readonly misbehave: (how: Partial<GatewayMisbehaviour>) => void;
  /** What `/gateway/bot` says is left of the day's session starts. */
  readonly setSessionStartsLeft: (remaining: number) => void;
}

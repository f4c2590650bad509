import { MINUTE } from "../../shared/time.ts";
import { shardOf } from "./guilds.ts";
import type { Connection } from "./connection.ts";

/** How long a session without a connection can be resumed, in real time. */
const RESUMABLE_MS = 3 * MINUTE;
const EVENTS_KEPT = 1_000;

/** What a client identified as, for as long as it can come back to it. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shardId: number;
  readonly shardCount: number;
  sequence: number;
  /** Serialised events that may have to be sent again. */
  readonly sent: { readonly sequence: number; readonly packet: string }[];
  connection: Connection | undefined;
  leftAtMs: number;
}

export const newSession = (
  id: string,
  intents: number,
  shard: readonly [number, number],
  connection: Connection,
): Session => ({
  id,
  intents,
  shardId: shard[0],
  shardCount: shard[1],
  sequence: 0,
  sent: [],
  connection,
  leftAtMs: 0,
});

/** Whether events of this guild are this session's to hear; direct messages belong to shard 0. */
export const hears = (session: Session, guildId: string | undefined): boolean =>
  session.shardId === (guildId === undefined ? 0 : shardOf(guildId, session.shardCount));

/** Whether its client is connected, or left so recently that it may come back. */
export const isAlive = (session: Session, nowMs: number): boolean =>
  session.connection !== undefined || nowMs - session.leftAtMs < RESUMABLE_MS;

/** Adds an event to the session. `delivery`: whether it is sent now, and whether it is kept for a RESUME. */
export const addEvent = (
  session: Session,
  type: string,
  data: unknown,
  delivery: { readonly send: boolean; readonly keep: boolean } = { send: true, keep: true },
): void => {
  session.sequence++;
  const packet = JSON.stringify({ op: 0, t: type, s: session.sequence, d: data });
  if (delivery.keep) {
    session.sent.push({ sequence: session.sequence, packet });
    if (session.sent.length > EVENTS_KEPT) session.sent.shift();
  }
  if (delivery.send) session.connection?.send(packet);
};

/** The client has seen all events up to this one. */
export const forgetSeen = (session: Session, sequence: number): void => {
  while ((session.sent[0]?.sequence ?? Infinity) <= sequence) session.sent.shift();
};

/** Sends again what came after `sequence`, oldest first. */
export const replay = (session: Session, sequence: number): void => {
  for (const event of session.sent) {
    if (event.sequence > sequence) session.connection?.send(event.packet);
  }
};

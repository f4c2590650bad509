import { isRecord } from "./limits/checks.ts";

export interface Packet {
  readonly op: unknown;
  readonly d: unknown;
}

export interface Identify {
  readonly token: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
}

export interface Resume {
  readonly token: string;
  readonly sessionId: string;
  readonly sequence: number;
}

/** Undefined when it is not JSON of an object. */
export const parsePacket = (text: string): Packet | undefined => {
  try {
    const packet: unknown = JSON.parse(text);
    return isRecord(packet) ? { op: packet["op"], d: packet["d"] } : undefined;
  } catch {
    return undefined;
  }
};

const fieldsOf = (data: unknown): Readonly<Record<string, unknown>> => (isRecord(data) ? data : {});

/** Wrong fields become values that the gateway refuses. */
export const parseIdentify = (data: unknown): Identify => {
  const { token, intents, shard } = fieldsOf(data);
  const [id, count] = Array.isArray(shard) ? (shard as unknown[]) : [0, 1];
  return {
    token: String(token),
    intents: Number.isInteger(intents) ? Number(intents) : -1,
    shard: [Number(id), Number(count)],
  };
};

export const parseResume = (data: unknown): Resume => {
  const { token, session_id: sessionId, seq } = fieldsOf(data);
  return { token: String(token), sessionId: String(sessionId), sequence: Number(seq) };
};

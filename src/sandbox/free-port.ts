import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that operating systems hand to outgoing connections, which may take a free one at any moment. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;
const TRIES = 100;

/**
 * The first of `count` successive ports of this machine that no server has at the moment.
 * @throws Error when a hundred random ports are taken
 */
export const freePort = async (count = 1): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const first = FIRST_PORT + Math.floor(Math.random() * (PORTS - count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
  throw new Error("No port of this machine is free.");
};

/** Whether a server could not listen because another one has the port. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    if (isPortTaken(error)) return false;
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return true;
};

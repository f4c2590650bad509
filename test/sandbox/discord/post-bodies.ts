import { expect, test } from "vitest";
import { CHANNELS } from "#src/sandbox/world.ts";
import { startDiscord } from "./running.ts";

const PATH = `/channels/${CHANNELS.vendas.id}/messages`;

/** A body that Discord refuses, where its errors say so, and the code that they give. */
export type RefusedBody = readonly [claim: string, body: object, at: string, code: string];

export const many = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));

/** Text of so many characters, each of two bytes. */
export const long = (length: number): string => "é".repeat(length);

const errorsAt = (errors: unknown, at: string): unknown =>
  at
    .split(".")
    .concat("_errors")
    .reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], errors);

/** One test for each body: it is refused at its place, and nothing is posted. */
export const testRefused = (bodies: readonly RefusedBody[]): void =>
  test.for(bodies)("a post is refused: %s", async ([, body, at, code]) => {
    const { rest, discord } = await startDiscord();
    const answer = await rest("POST", PATH, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 50035, message: "Invalid Form Body" },
    });
    expect(errorsAt(answer.body["errors"], at)).toMatchObject([{ code }]);
    expect(discord.messages(CHANNELS.vendas.id)).toEqual([]);
  });

/** One test for each body: it is posted. */
export const testTaken = (bodies: readonly (readonly [claim: string, body: object])[]): void =>
  test.for(bodies)("a post at the limit is taken: %s", async ([, body]) => {
    const { rest } = await startDiscord();
    expect((await rest("POST", PATH, body)).status).toBe(200);
  });

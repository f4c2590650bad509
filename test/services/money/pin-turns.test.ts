import { describe, expect, it } from "vitest";
import { createPinTurns } from "#src/services/money/pin-turns.ts";
import { mistakeIn } from "../../support/mistake-in.ts";

/** Work that ends when it is told to. */
const held = () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    begun.resolve();
    await ended.promise;
  };
  return { work, begun: begun.promise, end: ended.resolve };
};

describe("S9: turns at hashing", () => {
  it("are two at once, in the order in which they were asked for", async () => {
    const turns = createPinTurns();
    const [first, second, third] = [held(), held(), held()];
    const began: string[] = [];
    const note =
      (name: string, { work }: ReturnType<typeof held>) =>
      async () => {
        began.push(name);
        await work();
      };
    const all = [
      turns.inTurn("ana", note("first", first)),
      turns.inTurn("bruno", note("second", second)),
      turns.inTurn("carla", note("third", third)),
    ];
    await Promise.all([first.begun, second.begun]);
    expect(began).toEqual(["first", "second"]);

    second.end();
    await third.begun;
    expect(began).toEqual(["first", "second", "third"]);
    first.end();
    third.end();
    await Promise.all(all);
  });

  it("leave a place for everybody while one person sends hundreds", async () => {
    const turns = createPinTurns();
    const [blocked, flood] = [held(), held()];
    const running = turns.inTurn("bruno", blocked.work);
    const forms = Array.from({ length: 200 }, () => mistakeIn(turns.inTurn("ana", flood.work)));
    const other = held();
    const waiting = turns.inTurn("carla", other.work);

    blocked.end();
    flood.end();
    await other.begun;
    other.end();
    await Promise.all([running, waiting]);
    const told = await Promise.all(forms);
    expect(told.filter((kind) => kind === "pin_busy")).toHaveLength(198);
  });

  it("are refused beyond fifty that wait, and free again after work that failed", async () => {
    const turns = createPinTurns();
    const all = Array.from({ length: 53 }, held);
    const kinds = all.map(({ work }, person) => mistakeIn(turns.inTurn(`person ${person}`, work)));
    for (const { end } of all) end();
    expect((await Promise.all(kinds)).filter((kind) => kind === "pin_busy")).toHaveLength(1);

    const broken = turns.inTurn("ana", () => Promise.reject(new Error("broken")));
    await expect(broken).rejects.toThrow("broken");
    expect(await turns.inTurn("ana", async () => "free")).toBe("free");
  });
});

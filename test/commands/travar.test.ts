import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, BRUNO, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { buttonsOf, readMessage, titleOf } from "../ui/read-message.ts";
import { routeOf } from "./command-stage.ts";

describe("/travar", () => {
  test("locks at once, and says since when and how it opens", async () => {
    const { person, services } = await openGuild();
    const answer = (await person(ANA).command("travar")) as Reply;
    expect(titleOf(answer)).toBe("Saques travados");
    expect(readMessage(answer).join("\n")).toContain("Desde: <t:1795197600:d> <t:1795197600:t>");
    expect(buttonsOf(answer)).toEqual({ "Pedir para destravar": `travar:destravar:${ANA}` });
    expect((await services.guards.find(ANA)).lockedAt).toEqual(NOW);
    expect((await services.guards.find(BRUNO)).lockedAt).toBeUndefined();
  });

  test("says when it opens once its owner asks", async () => {
    const { person } = await openGuild();
    await person(ANA).command("travar");
    const asked = (await person(ANA).act(`travar:destravar:${ANA}`)) as Reply;
    expect(readMessage(asked).join("\n")).toContain(
      "abre a partir de <t:1795284000:d> <t:1795284000:t>",
    );
  });

  test("typed again takes the wish to unlock back, and so does its button", async () => {
    const { person, services } = await openGuild();
    for (const stay of [
      () => person(ANA).command("travar"),
      () => person(ANA).act(`travar:agora:${ANA}`),
    ]) {
      await person(ANA).command("travar");
      await person(ANA).act(`travar:destravar:${ANA}`);
      expect(titleOf(await stay())).toBe("Saques travados");
      expect((await services.guards.find(ANA)).unlockAt).toBeUndefined();
    }
  });

  test("has nothing to unlock while nothing is locked", async () => {
    const { person } = await openGuild();
    expect(await mistakeIn(person(ANA).act(`travar:destravar:${ANA}`))).toBe("money_not_locked");
  });
});

describe("the button that locks", () => {
  test("locks from a direct message, and leaves the notice that held it as it is", async () => {
    const { person, services } = await openGuild();
    await person(ANA).act(`travar:agora:${ANA}`);
    expect((await services.guards.find(ANA)).lockedAt).toEqual(NOW);
    expect(routeOf(`travar:agora:${ANA}`)).toMatchObject({ mode: "new", inDirectMessages: true });
  });

  test.each(["agora", "destravar"])("%s is nobody else's", async (name) => {
    const { person, services } = await openGuild();
    await person(ANA).command("travar");
    expect(await mistakeIn(person(BRUNO).act(`travar:${name}:${ANA}`))).toBe("not_your_button");
    expect((await services.guards.find(ANA)).unlockAt).toBeUndefined();
    expect((await services.guards.find(BRUNO)).lockedAt).toBeUndefined();
  });
});

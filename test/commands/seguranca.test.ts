import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, BRUNO, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { buttonsOf, menusOf, textOf } from "../ui/read-message.ts";
import { samePlace } from "./components.ts";

const fields = (typed: Record<string, string>) => ({ fields: new Map(Object.entries(typed)) });

const opened = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  const press = async (label: string, panel?: unknown) => {
    const shown = (panel ?? (await ana.command("seguranca"))) as Reply;
    return await ana.act(buttonsOf(shown)[label] ?? `no button ${label}`);
  };
  /** Opens the form under a button and sends it. */
  const fill = async (label: string, typed: Record<string, string>) => {
    const form = await press(label);
    if (form.kind !== "modal") throw new Error("No form");
    return await ana.act(form.customId, fields(typed));
  };
  return { ...guild, ana, press, fill, guards: () => guild.services.guards.find(ANA) };
};

describe("/seguranca", () => {
  test("sets a PIN, changes it with the current one, and removes it with that", async () => {
    const { fill, guards } = await opened();
    expect(textOf(await fill("Criar PIN", { pin: "402718" }))).toContain(
      "saques, estornos e cancelamentos pedem o PIN",
    );
    const wrong = fill("Trocar PIN", { pin: "135791", atual: "000000" });
    expect(await mistakeIn(wrong)).toBe("pin_wrong");
    await fill("Trocar PIN", { pin: "135791", atual: "402718" });
    expect(await mistakeIn(fill("Tirar PIN", { atual: "402718" }))).toBe("pin_wrong");
    expect(textOf(await fill("Tirar PIN", { atual: "135791" }))).toContain("Sem PIN");
    expect((await guards()).pin).toBeUndefined();
  });

  test("names the button that takes each loosening back, and it does", async () => {
    const { press, fill, guards } = await opened();
    await fill("Criar PIN", { pin: "402718" });
    await fill("Mudar limite", { limite: "500" });
    await press("Ligar a espera");
    await fill("Tirar PIN", { atual: "" });
    await fill("Mudar limite", { limite: "900" });
    const panel = await press("Desligar a espera");
    expect(textOf(panel)).toContain("**Mudar limite**");

    await press("Manter o PIN", panel);
    await fill("Mudar limite", { limite: "500" });
    await press("Manter a espera", panel);
    expect(await guards()).toMatchObject({
      pin: { endsAt: undefined },
      dailyCap: cents(50_000),
      pendingCap: undefined,
      newKeyWaitEndsAt: undefined,
    });
  });

  test.each([{}, { pin: "" }])("takes no PIN from %j", async (typed) => {
    const { fill, guards } = await opened();
    expect(await mistakeIn(fill("Criar PIN", typed))).toBe("pin_malformed");
    expect((await guards()).pin).toBeUndefined();
  });

  test("takes a limit typed the Brazilian way, and ends it a day after an empty one", async () => {
    const { fill, guards } = await opened();
    await fill("Mudar limite", { limite: "R$ 1.234,56" });
    const ending = await fill("Mudar limite", { limite: " " });
    expect(textOf(ending)).toContain("Fica sem limite a partir de");
    expect((await guards()).dailyCap).toBe(cents(123_456));
  });

  test.each([
    ["abc", "cap_unreadable"],
    ["9,99", "cap_below_minimum"],
  ])("takes no limit from %j", async (limite, mistake) => {
    const { fill, guards } = await opened();
    expect(await mistakeIn(fill("Mudar limite", { limite }))).toBe(mistake);
    expect((await guards()).dailyCap).toBeUndefined();
  });

  test("locks, asks for the unlock, and stays locked, in the panel itself", async () => {
    const { press, guards } = await opened();
    const locked = await press("Travar saques");
    expect((await guards()).lockedAt).toEqual(NOW);
    const asked = await press("Pedir para destravar", locked);
    expect(textOf(asked)).toContain("abre a partir de <t:1795284000:d> <t:1795284000:t>");
    await press("Manter travado", asked);
    expect((await guards()).unlockAt).toBeUndefined();
  });

  test.each([
    ["Travar saques", []],
    ["Travar saques", ["Ligar a espera"]],
    ["Ligar a espera", []],
    ["Ligar a espera", ["Travar saques"]],
    ["Pedir para destravar", ["Travar saques", "Ligar a espera"]],
    ["Desligar a espera", ["Travar saques", "Ligar a espera"]],
    ["Manter travado", ["Travar saques", "Pedir para destravar"]],
    ["Manter a espera", ["Ligar a espera", "Desligar a espera"]],
  ])("a second tap in the place of %s changes no guard, after %j", async (label, before) => {
    const { ana, press, guards } = await opened();
    for (const first of before) await press(first);
    const panel = (await ana.command("seguranca")) as Reply;
    const second = samePlace(panel, label, await press(label, panel));
    const set = await guards();
    const answer = second === undefined ? undefined : await ana.act(second, fields({}));
    expect(answer?.kind ?? "modal").toBe("modal");
    expect(await guards()).toEqual(set);
  });

  test("shows saved keys masked and forgets the one that is chosen", async () => {
    const { ana, stores } = await opened();
    const key = {
      hash: "h",
      value: "ana@loja.example",
      type: "email",
      masked: "a***@l***",
    } as const;
    await stores.pixKeys.save(ANA, key, NOW);
    const panel = (await ana.command("seguranca")) as Reply;
    expect(textOf(panel)).toContain("`a***a@loja.example · e-mail`");
    expect(JSON.stringify(panel)).not.toContain("ana@loja.example");
    const [menu] = menusOf(panel);
    const after = await ana.act(menu?.custom_id ?? "", { values: [menu?.options[0]?.value ?? ""] });
    expect(textOf(after)).toContain("Chaves PIX guardadas: Nenhuma.");
    expect(await stores.pixKeys.saved(ANA)).toEqual([]);
  });

  test("shows saved keys that can be told apart, a second equal one by its number", async () => {
    const { ana, stores } = await opened();
    const [type, masked] = ["email", "j***@g***"] as const;
    for (const value of ["joao@gmail.com", "jose@gmx.com", "julio@gmail.com"])
      await stores.pixKeys.save(ANA, { hash: value, value, type, masked }, NOW);
    const labels = async () => {
      const [menu] = menusOf((await ana.command("seguranca")) as Reply);
      return new Map(menu?.options.map(({ label, value }) => [label, value]));
    };
    const before = await labels();
    expect([...before.keys()].toSorted()).toEqual([
      "j***e@gmx.com · e-mail",
      "j***o@gmail.com · e-mail",
      "j***o@gmail.com · e-mail · 2",
    ]);
    for (const hash of ["joao@gmail.com", "julio@gmail.com"]) {
      await stores.pixKeys.markUsed(ANA, hash, NOW);
      expect(await labels()).toEqual(before);
    }
  });

  test("asks which key where none was chosen", async () => {
    const { ana } = await opened();
    expect(await mistakeIn(ana.act(`seguranca:esquecer:${ANA}`))).toBe("outdated_component");
  });
});

test("no button of it is anybody else's", async () => {
  const { person, guards } = await opened();
  const before = await guards();
  const typed = { values: ["salva:1"], ...fields({ pin: "402718", limite: "100" }) };
  const names =
    "pin pin-trocar pin-tirar pin-manter pin-salvar pin-apagar limite limite-salvar " +
    "espera-ligar espera-desligar travar destravar esquecer";
  for (const name of names.split(" "))
    expect(await mistakeIn(person(BRUNO).act(`seguranca:${name}:${ANA}`, typed)), name).toBe(
      "not_your_button",
    );
  expect(await guards()).toEqual(before);
});

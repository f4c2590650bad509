import { expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, ANA_KEY, BRUNO, connect, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { titleOf } from "../ui/read-message.ts";
import { idOf } from "./components.ts";

const opened = async () => {
  const guild = await openGuild();
  await connect(guild.person(ANA), ANA_KEY);
  return guild;
};

test("a webhook's replacement confirmed twice keeps the address that the first answer showed", async () => {
  const { person, clock, stores } = await opened();
  await person(ANA).command("conta webhook");
  clock.moveBy(MINUTE);
  const shown = await person(ANA).command("conta webhook");
  const question = await person(ANA).act(idOf(shown, "Trocar"));
  const confirm = idOf(question, "Trocar agora");
  expect(JSON.stringify(await person(ANA).act(confirm))).toContain("/ganchos/");
  clock.moveBy(MINUTE);
  expect(await mistakeIn(person(ANA).act(confirm))).toBe("outdated_component");
  const { accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  const madeAt = (await stores.webhooks.find({ accountFp, ownerId: ANA }))?.madeAt;
  expect(madeAt).toEqual(clock.now().subtract({ milliseconds: MINUTE }));
});

test("a first address that another device makes at the same moment is told as switched on", async () => {
  const { person, stores } = await opened();
  const { make } = stores.webhooks;
  const makeTwice: typeof make = async (...given) => {
    await make(...given);
    return await make(...given);
  };
  Object.assign(stores.webhooks, { make: makeTwice });
  const shown = await person(ANA).command("conta webhook");
  expect(titleOf(shown)).toBe("Endereço de aviso ligado");
});

test.each(["Trocar", "Desligar"])("another person's %s leaves the address", async (label) => {
  const { person, stores } = await opened();
  await person(ANA).command("conta webhook");
  const { accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  const before = await stores.webhooks.find({ accountFp, ownerId: ANA });
  const question = await person(ANA).act(idOf(await person(ANA).command("conta webhook"), label));
  const confirm = idOf(question, `${label} agora`);
  expect(await mistakeIn(person(BRUNO).act(confirm))).toBe("outdated_component");
  expect(await stores.webhooks.find({ accountFp, ownerId: ANA })).toEqual(before);
});

test("the removal of an address that was replaced meanwhile leaves the new one", async () => {
  const { person, clock, stores } = await opened();
  const ana = person(ANA);
  await ana.command("conta webhook");
  const shown = await ana.command("conta webhook");
  const removal = idOf(await ana.act(idOf(shown, "Desligar")), "Desligar agora");
  clock.moveBy(MINUTE);
  const question = await ana.act(idOf(shown, "Trocar"));
  await ana.act(idOf(question, "Trocar agora"));
  expect(await mistakeIn(ana.act(removal))).toBe("outdated_component");
  const { accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  expect(await stores.webhooks.find({ accountFp, ownerId: ANA })).toBeDefined();
});

test("the removal of an address that is replaced at the same moment leaves the new one", async () => {
  const { person, clock, stores } = await opened();
  const ana = person(ANA);
  await ana.command("conta webhook");
  const shown = await ana.command("conta webhook");
  const removal = idOf(await ana.act(idOf(shown, "Desligar")), "Desligar agora");
  clock.moveBy(MINUTE);
  const replacement = idOf(await ana.act(idOf(shown, "Trocar")), "Trocar agora");
  const { remove } = stores.webhooks;
  const removeLate: typeof remove = async (...given) => {
    await ana.act(replacement);
    return await remove(...given);
  };
  Object.assign(stores.webhooks, { remove: removeLate });
  expect(await mistakeIn(ana.act(removal))).toBe("outdated_component");
  const { accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  expect(await stores.webhooks.find({ accountFp, ownerId: ANA })).toBeDefined();
});

test("the removal of an address that is confirmed twice is answered twice", async () => {
  const { person } = await opened();
  const ana = person(ANA);
  await ana.command("conta webhook");
  const shown = await ana.command("conta webhook");
  const removal = idOf(await ana.act(idOf(shown, "Desligar")), "Desligar agora");
  const titles = [await ana.act(removal), await ana.act(removal)].map((each) =>
    titleOf(each as Reply),
  );
  expect(new Set(titles).size).toBe(1);
});

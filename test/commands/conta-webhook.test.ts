import { expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { ANA, ANA_KEY, BRUNO, connect, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { titleOf } from "../ui/read-message.ts";
import { idOf } from "./components.ts";

const opened = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  await connect(ana, ANA_KEY);
  const address = async () => {
    const { accountFp } = (await guild.stores.accounts.find(GUILD, ANA))!;
    return await guild.stores.webhooks.find({ accountFp, ownerId: ANA });
  };
  /** The button that carries out what a button under the address asks about. */
  const confirm = async (label: string): Promise<string> =>
    idOf(await ana.act(idOf(await ana.command("conta webhook"), label)), `${label} agora`);
  return { ...guild, ana, address, confirm };
};

test("a webhook's replacement confirmed twice keeps the address that the first answer showed", async () => {
  const { ana, clock, address, confirm } = await opened();
  await ana.command("conta webhook");
  clock.moveBy(MINUTE);
  const replacement = await confirm("Trocar");
  expect(JSON.stringify(await ana.act(replacement))).toContain("/ganchos/");
  const madeAt = clock.now();
  clock.moveBy(MINUTE);
  expect(await mistakeIn(ana.act(replacement))).toBe("outdated_component");
  expect((await address())?.madeAt).toEqual(madeAt);
});

test("a first address that another device makes at the same moment is told as switched on", async () => {
  const { ana, stores } = await opened();
  const { make } = stores.webhooks;
  const makeTwice: typeof make = async (...given) => {
    await make(...given);
    return await make(...given);
  };
  Object.assign(stores.webhooks, { make: makeTwice });
  const shown = await ana.command("conta webhook");
  expect(titleOf(shown)).toBe("Endereço de aviso ligado");
});

test.each(["Trocar", "Desligar"])("another person's %s leaves the address", async (label) => {
  const { ana, person, address, confirm } = await opened();
  await ana.command("conta webhook");
  const before = await address();
  expect(await mistakeIn(person(BRUNO).act(await confirm(label)))).toBe("outdated_component");
  expect(await address()).toEqual(before);
});

test("the removal of an address that was replaced meanwhile leaves the new one", async () => {
  const { ana, clock, address, confirm } = await opened();
  await ana.command("conta webhook");
  const removal = await confirm("Desligar");
  clock.moveBy(MINUTE);
  await ana.act(await confirm("Trocar"));
  expect(await mistakeIn(ana.act(removal))).toBe("outdated_component");
  expect(await address()).toBeDefined();
});

test("the removal of an address that is replaced at the same moment leaves the new one", async () => {
  const { ana, clock, stores, address, confirm } = await opened();
  await ana.command("conta webhook");
  const removal = await confirm("Desligar");
  clock.moveBy(MINUTE);
  const replacement = await confirm("Trocar");
  const { remove } = stores.webhooks;
  const removeLate: typeof remove = async (...given) => {
    await ana.act(replacement);
    return await remove(...given);
  };
  Object.assign(stores.webhooks, { remove: removeLate });
  expect(await mistakeIn(ana.act(removal))).toBe("outdated_component");
  expect(await address()).toBeDefined();
});

test("the removal of an address that is confirmed twice is answered twice", async () => {
  const { ana, confirm } = await opened();
  await ana.command("conta webhook");
  const removal = await confirm("Desligar");
  const titles = [titleOf(await ana.act(removal)), titleOf(await ana.act(removal))];
  expect(new Set(titles).size).toBe(1);
});

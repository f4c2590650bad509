import { Secret } from "#src/shared/secret.ts";
import type { OpenDatabase } from "#src/store/database.ts";
import { openStores, type Stores } from "#src/store/stores.ts";
import type { Dice } from "../dice.ts";
import { keyOf } from "./model-service.ts";

const SELLERS_PER_GUILD = 25;
const ADMIN = "u-admin";

/** Connects so many sellers: half of them hear of disputes in their guild's channel, half directly; all have reports at 21:05. */
export const connectFleet = async (
  database: OpenDatabase,
  dice: Dice,
  sellers: number,
  since: Temporal.Instant,
): Promise<Stores> => {
  const ring = new Secret(`k1:${Buffer.from(dice.bytes(32)).toString("base64")}`);
  const stores = await openStores(database, ring, "https://wallet.example", dice);
  const timeZone = "America/Sao_Paulo";
  for (let guild = 0; guild * SELLERS_PER_GUILD < sellers; guild++) {
    const fixed = {
      guildId: `g${guild}`,
      active: true,
      locale: "pt-BR",
      updatedBy: ADMIN,
    } as const;
    const time = Temporal.PlainTime.from("21:05");
    const report = { channelId: `reports-${guild}`, time, timeZone, emptyChoice: "send" } as const;
    await stores.routes.save({ ...fixed, ...report }, since, ADMIN);
    const nobody = { roleId: undefined, pingSteps: [], quiet: undefined, slowNights: false };
    const alerts = { channelId: `alerts-${guild}`, timeZone, ...nobody };
    await stores.alertRoutes.save({ ...fixed, ...alerts }, since, ADMIN);
  }
  for (let seller = 0; seller < sellers; seller++) {
    const guildId = `g${Math.floor(seller / SELLERS_PER_GUILD)}`;
    const ownerId = `u${seller}`;
    const consent = { reportConsent: true, reportConsentAt: since, connectedAt: since };
    const account = { guildId, ownerId, connectedBy: ownerId, ownerVerified: true, ...consent };
    await stores.accounts.save(account, new Secret(keyOf(seller)));
    if (seller % 2 === 0) await stores.accounts.setAlerts(guildId, ownerId, "channel", since);
  }
  return stores;
};

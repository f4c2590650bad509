import type { Migration } from "kysely/migration";

/** Language of a charge's posted card. Null of earlier charges: their seller's. */
export const cardLocales: Migration = {
  up: async (db) => {
    await db.schema.alterTable("charge").addColumn("card_locale", "text").execute();
  },
};

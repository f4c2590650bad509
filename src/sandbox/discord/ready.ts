import { setTimeout as wait } from "node:timers/promises";
import { APPLICATION, GUILD } from "../world.ts";
import { extraGuild, extraGuildIds, mainGuild } from "./guilds.ts";
import { botUser } from "./rendered.ts";
import { addEvent, hears } from "./session.ts";
import type { Session } from "./session.ts";
import type { DiscordState } from "./state.ts";

/** Intent of a client that wants to know guilds, channels and roles. */
export const GUILDS_INTENT = 1;

/** So many bytes may wait in the socket before the next guild is serialised. */
const BACKLOG_BYTES = 4 * 1_024 * 1_024;

/** READY, then GUILD_CREATE of each guild for a client that asked for guilds. */
export const sendReady = async (
  state: DiscordState,
  session: Session,
  guildCount: number,
): Promise<void> => {
  const extra = extraGuildIds(guildCount).filter((id) => hears(session, id));
  const hasMain = state.botInGuild && hears(session, GUILD.id);
  const guilds = [...(hasMain ? [GUILD.id] : []), ...extra];
  const ready = {
    v: 10,
    user: { ...botUser, verified: true, mfa_enabled: false, email: null, bio: "" },
    guilds: guilds.map((id) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: `${state.origin.replace("http", "ws")}/gateway`,
    shard: [session.shardId, session.shardCount],
    application: { id: APPLICATION.id, flags: 0 },
    session_type: "normal",
    private_channels: [],
    relationships: [],
    presences: [],
    guild_join_requests: [],
    user_settings: {},
    auth: {},
    geo_ordered_rtc_regions: [],
    _trace: [],
  };
  addEvent(session, "READY", ready, { send: true, keep: false });
  if ((session.intents & GUILDS_INTENT) === 0) return;
  if (hasMain) addEvent(session, "GUILD_CREATE", mainGuild(state));
  for (const id of extra) {
    if (session.connection === undefined) return;
    addEvent(session, "GUILD_CREATE", extraGuild(id), { send: true, keep: false });
    while ((session.connection?.waiting() ?? 0) > BACKLOG_BYTES) await wait(1);
  }
};

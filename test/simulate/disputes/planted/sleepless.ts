import type { Plant } from "../bot.ts";

/** Knows of no quiet hours. */
export const sleepless: Plant = (parts) => {
  const { routes } = parts.jobs;
  const awake = async (guildId: string) => {
    const route = await routes.find(guildId);
    return route && { ...route, quiet: undefined };
  };
  return { ...parts, jobs: { ...parts.jobs, routes: { ...routes, find: awake } } };
};

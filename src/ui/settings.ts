import type {
  ChosenChannelFacts,
  DeliveryPayload,
  LostChannelFacts,
  PostingRoute,
} from "../delivery/delivery.ts";
import { chosenType, componentType, postedTo } from "../shared/discord-enums.ts";
import { cut, limits } from "./embed.ts";
import { channel, fullTime, serverLink, serverName } from "./format.ts";
import { type ButtonParts, post, type Row } from "./reply.ts";
import type { UiTexts } from "./texts.ts";

/** Whether posts go to the route's channel, in a capability's words. */
export const routeState = (
  { active, suspendedAt }: Pick<PostingRoute, "active" | "suspendedAt">,
  words: {
    readonly on: string;
    readonly off: string;
    readonly suspended: (since: string) => string;
  },
): string => {
  if (!active) return words.off;
  return suspendedAt === undefined ? words.on : words.suspended(fullTime(suspendedAt));
};

/** The message that a route's channel is gone or closed to the bot, in a capability's words. */
export const lostChannelPost = (
  { guildId, channelId, noticedAt: readAt, reference }: LostChannelFacts,
  words: {
    readonly channelLost: string;
    /** Undefined: the title says it. */
    readonly channelLostAlone?: string;
    readonly channelLostText: (channel: string) => string;
  },
  texts: UiTexts,
): DeliveryPayload => {
  const { channelLost: title, channelLostAlone: sentence = title } = words;
  const lost = words.channelLostText(channel(channelId));
  const description = `${lost}\n\n${serverLink(guildId, texts)}`;
  return post({ tone: "warning", sentence, title, description, readAt, reference });
};

/** The message to a seller that posts go to a server's channel from now on, in a capability's words. */
export const chosenChannelPost = (
  { guildId, guildName, channelId, reference }: ChosenChannelFacts,
  words: {
    readonly title: string;
    readonly alone: string;
    readonly text: (server: string, channel: string) => string;
  },
  texts: UiTexts,
  ...rows: readonly Row[]
): DeliveryPayload => {
  const { title, alone: sentence } = words;
  const moved = words.text(serverName(guildId, guildName), channel(channelId));
  const description = `${moved}\n\n${serverLink(guildId, texts)}`;
  return post({ sentence, title, description, reference }, ...rows);
};

/**
 * Menu of the server's channels. A suspended channel is not chosen beforehand, because Discord tells nothing when the
 * chosen one is chosen again.
 */
export const channelMenu = (
  id: string,
  { common }: UiTexts,
  route?: Pick<PostingRoute, "channelId" | "suspendedAt">,
): Row => ({
  type: componentType.row,
  components: [
    {
      type: componentType.channelSelect,
      custom_id: id,
      placeholder: cut(common.chooseChannel, limits.placeholder),
      channel_types: postedTo,
      ...(route !== undefined &&
        route.suspendedAt === undefined && {
          default_values: [{ id: route.channelId, type: chosenType.channel }],
        }),
    },
  ],
});

/** Menu of the server's roles. */
export const roleMenu = (id: string, { common }: UiTexts, roleId: string | undefined): Row => ({
  type: componentType.row,
  components: [
    {
      type: componentType.roleSelect,
      custom_id: id,
      placeholder: cut(common.chooseRole, limits.placeholder),
      ...(roleId !== undefined && {
        default_values: [{ id: roleId, type: chosenType.role }],
      }),
    },
  ],
});

/** Argument of a menu of several choices: those that it shows as chosen. `choiceIn` reads it; never empty. */
export const shownChoices = (chosen: readonly string[]): string => `.${chosen.join(".")}`;

/** Arguments of the buttons that switch a part on and off. */
export const SWITCHES = { on: "ligar", off: "desligar" } as const;

export const switchButton = (
  idOf: (argument: string) => string,
  isOn: boolean,
  { common }: UiTexts,
): ButtonParts => ({
  id: idOf(isOn ? SWITCHES.off : SWITCHES.on),
  label: isOn ? common.switchOff : common.switchOn,
  style: "secondary",
});

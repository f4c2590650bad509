import { APPLICATION, PEOPLE } from "../world.ts";

const COLOURS = ["#c2456b", "#2f7dc4", "#8a5cd1", "#b8741a"] as const;
const BOT_COLOUR = "#1f8a5f";

/** Path of somebody's picture on the page's server. */
export const avatarPath = (id: string): string => `/avatars/${id}.svg`;

/** The picture behind such a path: the initial in a disc. Undefined when nobody has this id. */
export const avatarImage = (path: string): string | undefined => {
  const id = /^\/avatars\/(\d{17,20})\.svg$/.exec(path)?.[1];
  if (id === APPLICATION.id) return disc(APPLICATION.name, BOT_COLOUR);
  const place = PEOPLE.findIndex((person) => person.id === id);
  const person = PEOPLE[place];
  if (person === undefined) return undefined;
  return disc(person.displayName, COLOURS[place % COLOURS.length] ?? BOT_COLOUR);
};

const disc = (name: string, colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">` +
  `<circle cx="40" cy="40" r="40" fill="${colour}"/>` +
  `<text x="40" y="54" text-anchor="middle" font-family="sans-serif" font-size="40" font-weight="600" fill="#fff">` +
  `${name.charAt(0)}</text></svg>`;

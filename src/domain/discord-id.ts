const DISCORD_ID = /^\d{17,20}$/;

/** Whether the text has the form of an id of Discord's, such as a user's. */
export const isDiscordId = (text: string): boolean => DISCORD_ID.test(text);

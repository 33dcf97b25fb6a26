/** Whether a shell takes it as it is. It would expand others, whoever has chosen them. */
export const isPlainName = (text: string): boolean => /^[\w@][\w.@+-]{0,99}$/.test(text);

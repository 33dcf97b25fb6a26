/** Whether a shell takes a name as it is. A shell would expand other names, which other users may have chosen. */
export const isPlainName = (text: string): boolean => /^[\w@][\w.@+-]{0,99}$/.test(text);

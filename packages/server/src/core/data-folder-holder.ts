/** Where the data folder is held: here, by the server at an address, or by nobody at the moment. */
export type DataFolderHolder = "here" | { readonly url: string } | undefined;

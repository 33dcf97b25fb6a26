/** The server that holds the data folder: this one, the one at a URL, or none at the moment. */
export type DataFolderHolder = "here" | { readonly url: string } | undefined;

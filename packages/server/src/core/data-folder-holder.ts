/** The server that holds the lease of the data folder: this one, the one at a URL, or none at the moment. */
export type DataFolderHolder = "here" | { readonly url: string } | undefined;

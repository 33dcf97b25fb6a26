export function saveFile(name: string, parts: readonly BlobPart[], type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

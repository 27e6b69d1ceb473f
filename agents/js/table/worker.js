/* Keeps the site for when there is no network. `VERSION` and `FILES` stand above: whoever writes the site knows them. */
"use strict";

const SITE = `buck-euchre ${self.registration.scope} `; // an origin may hold other sites, and other caches
const NAME = SITE + VERSION;

self.addEventListener("install", (event) => {
  const anew = FILES.map((file) => new Request(file, { cache: "reload" })); // not what the browser has of a version before
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(anew)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith(SITE) && name !== NAME;
  const forget = (names) => Promise.all(names.filter(old).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => self.clients.claim()));
});

/* A file of the site comes from what is kept; whatever else is asked, as the service is, goes to the network. */
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(NAME)
      .then((cache) => cache.match(event.request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});

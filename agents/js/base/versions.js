/** What this package speaks: bundles and games of other versions are refused. */

export const VERSION = "0.2.0";

/** What every manifest and the first line of a game say beside their format. */
export const STAMPS = Object.freeze({ environment: "buck_euchre_v0", rules_version: 0, observation_version: 0, actions_version: 0 });
export const BUNDLE_FORMAT = "buck-euchre-bundle-v0";
export const PROTOCOL = "buck-euchre-command-v1";

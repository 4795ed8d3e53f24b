/**
 * Names of time zones that IANA has replaced but browsers still report: the Unicode consortium, whose names they use,
 * never renames zones (https://www.unicode.org/reports/tr35/#Time_Zone_Identifiers). PostgreSQL may no longer know
 * them: since Debian 13 they are in a separate package, tzdata-legacy.
 */
const replaced = {
    "Africa/Asmera": "Africa/Asmara",
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Catamarca": "America/Argentina/Catamarca",
    "America/Coral_Harbour": "America/Atikokan",
    "America/Cordoba": "America/Argentina/Cordoba",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "America/Jujuy": "America/Argentina/Jujuy",
    "America/Louisville": "America/Kentucky/Louisville",
    "America/Mendoza": "America/Argentina/Mendoza",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    CET: "Europe/Brussels",
    EET: "Europe/Athens",
    "Europe/Kiev": "Europe/Kyiv",
    MET: "Europe/Brussels",
    "Pacific/Enderbury": "Pacific/Kanton",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
    WET: "Europe/Lisbon",
};

/** The current name of a zone: "Asia/Kolkata" for Asia/Calcutta. */
export function presentName(zone) {
    return replaced[zone] ?? zone;
}

export const GIVEN_NAMES = splitNames(
  'Ada, Ben, Chloé, Dmitri, Elif, Femi, Grace, Hugo, Ines, Jonas, Kaya, Liam, Mina, Noor, Omar, Pia, Quentin, ' +
    'Rosa, Sven, Tara, Uma, Viktor, Wanda, Xenia, Yusuf, Zoë, Amara, Bruno, Carla, Diego, Emma, Farid, Greta, Hana, ' +
    'Ivo, Jana, Klaus, Lucía, Marek, Nadia, Oskar, Petra, Rafael, Selma, Tomás, Ursula, Vera, Willem, Yara, Zeynep',
)

export const FAMILY_NAMES = splitNames(
  'Abara, Berg, Costa, Duval, Eriksen, Fischer, García, Haddad, Ivanova, Jensen, Kowalski, Lindqvist, Moreau, ' +
    'Nakamura, Okafor, Petrov, Quinn, Rossi, Silva, Tanaka, Ueda, Vargas, Weber, Young, Zhang, Almeida, Brandt, ' +
    'Carvalho, Demir, Engel, Fontaine, Greco, Horváth, Iglesias, Jovanović, Kaya, Laurent, Meyer, Novák, Olsen, ' +
    'Popescu, Richter, Schmidt, Torres, Urban, van Dijk, Wójcik, Yıldız, Zimmermann, Ó Briain',
)

/** Larger cities are listed more than once. */
export const CITIES = splitNames(
  'Berlin, Berlin, Berlin, Hamburg, Hamburg, Munich, Munich, Cologne, Leipzig, Vienna, Vienna, Zürich, Amsterdam, ' +
    'Amsterdam, Utrecht, Brussels, Ghent, Paris, Paris, Lyon, Lisbon, Porto, Madrid, Barcelona, Copenhagen, Oslo, ' +
    'Kraków, Warsaw, Prague, Budapest, Milan, Bologna',
)

function splitNames(list: string): string[] {
  return list.split(', ')
}

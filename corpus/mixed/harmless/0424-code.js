// injector.js (c) Paulo Reis
export function inject(patient, dose) { // "patient" = DI container, joke
  return patient.register(dose);
}
